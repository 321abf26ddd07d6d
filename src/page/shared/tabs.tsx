/** A row of tabs: one stop for the Tab key, the arrows go from one to the next. */

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly (readonly [name: Name, words: string])[];
  /** The one that is chosen; none may be. */
  readonly now: Name | undefined;
  readonly onPick: (name: Name) => void;
  /** Ids of the tabs begin with it. */
  readonly prefix: string;
  /** Id of the panel that they fill. */
  readonly controls: string;
}

export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const { label, tabs, now, onPick, prefix, controls } = props;
  const stop = tabs.some(([name]) => name === now) ? now : tabs[0]?.[0];

  function onKeyDown(event: KeyboardEvent) {
    const by = STEPS.get(event.key);
    if (by === undefined) return;
    const { children } = event.currentTarget as HTMLElement;
    const at = [...children].indexOf(document.activeElement!);
    const next = children[(at + by + children.length) % children.length];
    if (next instanceof HTMLElement) {
      next.focus();
      next.click();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map(([name, words]) => (
        <button
          type="button"
          role="tab"
          key={name}
          id={`${prefix}-${name}`}
          tabIndex={name === stop ? 0 : -1}
          aria-selected={name === now}
          aria-controls={controls}
          onClick={() => onPick(name)}
        >
          {words}
        </button>
      ))}
    </div>
  );
}

const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowRight', 1],
  ['ArrowLeft', -1],
]);
