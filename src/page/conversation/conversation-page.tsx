/** A conversation, drawn from its document alone. */
import { useLayoutEffect, useState } from 'preact/hooks';
import type { ViewDocument } from '../../format/view-document.js';
import { CONVERSATION_KEYS, TIMELINE_KEYS } from '../model/key-words.js';
import { KeysHelp } from '../shared/keys-help.js';
import { aSplit, Splitter } from '../shared/splitter.js';
import { begin } from './begin.js';
import { Changes } from './changes.js';
import { Dock } from './dock.js';
import { FilterBar } from './filter-bar.js';
import { Inspector } from './inspector.js';
import { show, showPanel } from './moves.js';
import { Overview } from './overview.js';
import { PanelTabs } from './panel-tabs.js';
import { Problems } from './problems.js';
import { Proof } from './proof.js';
import { RelationList } from './relation-list.js';
import { dock, panel, said } from './state.js';
import { StreamTree } from './stream-tree.js';
import { Strip } from './strip.js';
import { TalkList } from './talk-list.js';
import { Transcript } from './transcript.js';
import { UnresolvedEntries } from './unresolved.js';

const lists = aSplit('asz.lists', 260, 180);
const inspector = aSplit('asz.inspector', 350, 260);
/** All lanes where there is room for them, and never more than the words get. */
const docked = aSplit('asz.dock', Math.min(340, Math.round(innerHeight * 0.36)), 150);

const HELP = [
  ['Keys', CONVERSATION_KEYS],
  ['On the timeline', TIMELINE_KEYS],
] as const;

export function ConversationPage({ document }: { readonly document: ViewDocument }) {
  // Before anything is drawn; later documents come by themselves.
  useState(() => show(document));
  // Not after the first picture: a key that is pressed as soon as there is something to see counts.
  useLayoutEffect(begin, []);
  const sizes = {
    '--lists': `${lists.size.value}px`,
    '--inspector': `${inspector.size.value}px`,
    '--dock': dock.value === 'closed' ? 'auto' : `${docked.size.value}px`,
  };
  return (
    <div class="conversation" style={sizes}>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place of the page, as links do */}
      <a
        class="skip"
        href="#view"
        onClick={(event) => {
          // The address is the reader's place, and stays.
          event.preventDefault();
          toTranscript();
        }}
      >
        To the transcript
      </a>
      <Strip />
      <Problems />
      <nav class="lists" aria-label="Talks and streams">
        <h2>Talks</h2>
        <TalkList />
        <h2>Streams</h2>
        <StreamTree />
      </nav>
      <Splitter split={lists} label="Width of the lists" panel="left" />
      <main class="middle">
        <PanelTabs />
        {panel.value === 'transcript' ? <FilterBar /> : null}
        <div class="view" id="view" role="tabpanel" aria-labelledby={`view-${panel.value}`}>
          {/* It stays where it is while something else is looked at. */}
          <div class={panel.value === 'transcript' ? 'kept' : 'kept away'}>
            <Transcript />
          </div>
          <View />
        </div>
        {dock.value === 'closed' || panel.value !== 'transcript' ? null : (
          <Splitter split={docked} label="Height of the timeline" panel="below" />
        )}
        {panel.value === 'transcript' ? <Dock /> : null}
      </main>
      <Splitter split={inspector} label="Width of the inspector" panel="right" />
      <Inspector />
      <KeysHelp tables={HELP} />
      <div class="unseen" role="status" aria-live="polite">
        {said.value}
      </div>
    </div>
  );
}

function toTranscript(): void {
  showPanel('transcript');
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.transcript')?.focus());
}

function View() {
  switch (panel.value) {
    case 'transcript':
      return null;
    case 'overview':
      return <Overview />;
    case 'changes':
      return <Changes />;
    case 'unresolved':
      return <UnresolvedEntries />;
    case 'relations':
      return <RelationList />;
    case 'proof':
      return <Proof />;
    default:
      return panel.value satisfies never;
  }
}
