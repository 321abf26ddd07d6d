import { listSessions } from '../io/storage-root.js';
import { type ListedConversation, listedConversations } from '../view/conversation-list.js';
import type { CommandContext } from './context.js';
import { jsonText, shortened, tableLines } from './print.js';

/** `asz conversations`: the list of what there is to read, from one line of each chain (view spec 8). */
export async function run({ options, config, print, stdout }: CommandContext): Promise<number> {
  const { root } = config().storage;
  listSessions(root); // Says that there is no such root.
  const rows = listedConversations(root);
  if (options.switch('json')) {
    stdout.write(`${jsonText(rows)}\n`);
    return 0;
  }
  for (const line of tableLines([HEADINGS, ...rows.map(cells)])) print(line.trimEnd());
  print('');
  print(`${rows.length} conversation(s)`);
  return 0;
}

const HEADINGS = [
  'CONVERSATION',
  'TITLE',
  'TALKS',
  'CALLS',
  'CHILDREN',
  'ROUNDS',
  'OPEN',
  'LAST ACTIVITY',
  'STATE',
];

const MAX_TITLE = 40;

function cells(row: ListedConversation): string[] {
  const count = (value: number | null) => (value === null ? '—' : String(value));
  const last = row.to === null ? '—' : new Date(row.to).toISOString().slice(0, 16).replace('T', ' ');
  const state = row.state.replace('_', ' ');
  return [
    ...[
      row.id,
      shortened(row.title, MAX_TITLE),
      count(row.talks),
      count(row.llm_calls),
      count(row.subagents),
    ],
    ...[
      String(row.rounds),
      count(row.unresolved),
      last,
      row.problem === '' ? state : `${state}: ${row.problem}`,
    ],
  ];
}
