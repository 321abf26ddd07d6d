/** Every stream under the one that started it, at any depth. */
import type { Stream } from '../../format/view-document.js';
import { countOf } from '../model/quantity-text.js';
import { openStream } from './moves.js';
import { outline, stream } from './state.js';
import { TokenCount, usage } from './tokens.js';

export function StreamTree() {
  return (
    <ul class="stream-tree" aria-label="Streams">
      {outline.value.childrenOf('').map((top) => (
        <Branch key={top.id} of={top} />
      ))}
    </ul>
  );
}

function Branch({ of }: { readonly of: Stream }) {
  const children = outline.value.childrenOf(of.name);
  const { name, label, role } = of;
  const steps = outline.value.stepsOf(name).length;
  return (
    <li>
      <button
        type="button"
        class="stream-item"
        aria-current={stream.value === name ? 'true' : undefined}
        title={`${name} · ${countOf(of.records, 'record')} · ${countOf(steps, 'step')}`}
        onClick={() => openStream(name)}
      >
        <span class="stream-name">{label || name}</span>
        {role === 'child' || role === name ? null : <span class="muted">{role}</span>}
        <span class="stream-facts number">
          <span>{countOf(steps, 'step')}</span>
          <TokenCount tokens={usage.value.ofStream(name)} />
        </span>
      </button>
      {children.length === 0 ? null : (
        <ul>
          {children.map((child) => (
            <Branch key={child.id} of={child} />
          ))}
        </ul>
      )}
    </li>
  );
}
