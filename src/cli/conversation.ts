import { once } from 'node:events';
import { adapterOfDialect } from '../adapters/registry.js';
import { AszError, UsageError } from '../format/errors.js';
import { sortIds } from '../format/id-order.js';
import { printableJson } from '../format/json-text.js';
import { GROUPS, type Node, type Relation, type Unresolved } from '../format/session-flow.js';
import { existsSync } from '../io/file-system.js';
import { LandedRecords } from '../io/landed-records.js';
import { listSessions } from '../io/storage-root.js';
import { type Tree, treeOf } from '../rounds/display-order.js';
import type { Fold } from '../rounds/fold.js';
import { foldChainStrictly } from '../rounds/read-chain.js';
import type { CommandContext } from './context.js';
import { MEANINGS, NodeWords } from './node-words.js';
import { padded, sizeText } from './print.js';

/** `asz conversation`: folds a chain and prints what it holds (cli spec 3.8). */
export async function run(context: CommandContext): Promise<number> {
  const { options, args, config, print, warn, stdout } = context;
  const [conversation = ''] = args;
  const [json, yaml, html] = [options.switch('json'), options.switch('yaml'), options.text('html')];
  if (json && yaml) throw new AszError('USAGE', '-json and -yaml are one or the other');
  if (html !== undefined && (json || yaml))
    throw new UsageError('--html FILE writes a page; --json and --yaml print a document: one or the other');
  const hide = options.list('hide');
  if (hide.length > 0 && !json && !yaml && html === undefined)
    throw new UsageError('--hide says what the document of --json, --yaml or --html withholds');
  if (options.switch('force') && html === undefined)
    throw new UsageError('--force says that the file of --html may be replaced');
  const { root } = config().storage;
  listSessions(root); // Says that there is no such root.
  if (html !== undefined) return exportPage(context, conversation, html);
  if (json || yaml) {
    const { writeDocument } = await import('./write-document.js');
    await writeDocument(root, conversation, hide, yaml ? 'yaml' : 'json', stdout);
    return 0;
  }
  const fold = foldChainStrictly(root, conversation);
  if (fold.round === 0)
    throw new AszError('CHAIN', `no rounds for conversation ${conversation}; run asz parse first`);
  if (options.switch('fold')) {
    for (const line of foldLines(fold)) if (!stdout.write(line)) await once(stdout, 'drain');
    return 0;
  }
  const records = new LandedRecords(root, fold.header!.session);
  const terms = termsFor(options.text('terms'), records.dialect());
  const tree = treeOf(fold);
  for (const line of textLines(fold, tree, terms, new NodeWords(records, fold, tree))) print(line);
  // Said last: only now has everything that is shown been read.
  const faults = records.faults(fold.throughSeq);
  for (const fault of faults) warn(`${fault}; run asz verify`);
  return faults.length > 0 ? 1 : 0;
}

/** The page shows no more in a file than it does from a server, so the configuration's `view.hide` applies too. */
async function exportPage(
  { options, config, print }: CommandContext,
  conversation: string,
  path: string,
): Promise<number> {
  const { storage, view } = config();
  const isReplaced = options.switch('force');
  if (!isReplaced && existsSync(path))
    throw new AszError('STORAGE', `${path} is there already; --force replaces it`);
  const { writePage } = await import('./write-page.js');
  const hide = [...view.hide, ...options.list('hide')];
  const sizeBytes = writePage(storage.root, conversation, hide, path, isReplaced);
  print(
    `wrote ${path}: ${sizeText(sizeBytes)}; texts end at 2,000 bytes, and the landed records are not in it`,
  );
  return 0;
}

function* foldLines(fold: Fold): Generator<string> {
  for (const group of GROUPS)
    for (const id of sortIds([...fold.entities[group].keys()])) {
      const entity = fold.entities[group].get(id)!;
      yield `${printableJson(entity.line(entity.revision))}\n`;
    }
}

/** A word of the model in the words that were asked for. */
type Terms = (word: string) => string;

function termsFor(mode: string | undefined, dialect: string): Terms {
  if (mode !== 'native' && mode !== 'both') return (word) => word;
  const glossary = new Map(
    adapterOfDialect(dialect)?.glossary.map(({ unified, native }) => [unified, native]),
  );
  return (word) => {
    const native = glossary.get(word) || word;
    return mode === 'native' || native === word ? native : `${word}  (${native})`;
  };
}

function* textLines(fold: Fold, tree: Tree, terms: Terms, words: NodeWords): Generator<string> {
  const { node, relation, unresolved } = fold.entities;
  const open = sortIds([...unresolved.keys()])
    .map((id) => unresolved.get(id)!.members<Unresolved>())
    .filter(({ state }) => state === 'open');
  yield `conversation ${fold.conversation}`;
  yield `  rounds     ${fold.round}, head ${fold.digest.slice(0, 12)}…`;
  yield `  landed     through seq ${fold.throughSeq}`;
  yield `  entities   ${node.size} nodes, ${relation.size} relations, ${unresolved.size} unresolved (${open.length} still open)`;
  const relations = [...relation.values()].map((entity) => entity.members<Relation>());
  const kinds = [...node.values()].map((entity) => entity.members<Node>().kind);
  yield* countLines('node kinds:', kinds, terms);
  if (relations.length > 0) {
    yield* countLines(
      'relations:',
      relations.map(({ type }) => type),
      terms,
    );
    yield* countLines(
      'correlation quality:',
      relations.map(({ quality }) => quality),
      terms,
    );
  }
  if (open.length > 0) {
    yield '';
    yield `still unresolved (${open.length}):`;
    for (const { kind, reason = '', ref = '' } of open.slice(0, MAX_UNRESOLVED))
      yield `  ${padded(kind, 26)} ${reason}${ref === '' ? '' : `  (${ref})`}`;
    if (open.length > MAX_UNRESOLVED) yield `  … and ${open.length - MAX_UNRESOLVED} more`;
  }
  yield '';
  yield 'structure (containment only; cross-stream flow is a relation):';
  yield* nodeLines(tree, tree.roots, 0, terms, words);
}

const MAX_UNRESOLVED = 12;

/** Most frequent first, then by name; each with what it means. */
function* countLines(heading: string, words: readonly string[], terms: Terms): Generator<string> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  yield '';
  yield heading;
  for (const word of sortIds([...counts.keys()]).sort((a, b) => counts.get(b)! - counts.get(a)!))
    yield `  ${padded(terms(word), 40)} ${String(counts.get(word)).padStart(6)}  ${MEANINGS[word] ?? ''}`.trimEnd();
}

const MAX_CHILDREN = 6;
const MAX_DEPTH = 6;
const KIND_ORDER = ['stream', 'epoch', 'talk', 'run', 'llm.call'];

function* nodeLines(
  tree: Tree,
  nodes: readonly Node[],
  depth: number,
  terms: Terms,
  words: NodeWords,
): Generator<string> {
  const indent = '  '.repeat(depth + 1);
  const shown = depth === 0 ? nodes : nodes.slice(0, MAX_CHILDREN);
  for (const node of shown) {
    const said = words.of(node);
    yield `${indent}${terms(node.kind)}  ${lastPart(node.id)}${said === '' ? '' : `  ${said}`}`;
    if (depth < MAX_DEPTH)
      yield* nodeLines(tree, regrouped(tree.childrenOf(node.id)), depth + 1, terms, words);
  }
  const rest = nodes.slice(shown.length);
  if (rest.length > 0) {
    const kinds = new Set(rest.map(({ kind }) => terms(kind)));
    yield `${indent}… ${rest.length} more  (${[...kinds].join(', ')})`;
  }
}

/** Structure first, windows last; within a kind the display order stays. */
function regrouped(nodes: readonly Node[]): Node[] {
  const rank = ({ kind }: Node): number => {
    if (kind === 'segment') return KIND_ORDER.length + 1;
    const place = KIND_ORDER.indexOf(kind);
    return place < 0 ? KIND_ORDER.length : place;
  };
  return nodes.toSorted((a, b) => rank(a) - rank(b));
}

function lastPart(id: string): string {
  const part = id.slice(id.lastIndexOf('/') + 1);
  const characters = Array.from(part);
  return characters.length > 22 ? `${characters.slice(0, 21).join('')}…` : part;
}
