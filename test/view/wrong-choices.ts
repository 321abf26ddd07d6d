/** For each rule of building and ordering, the obvious wrong choice. */
/** What somebody might think, and how a copy of the built module is made to think so. */
export interface WrongChoice {
  readonly choice: string;
  readonly file: string;
  readonly right: string;
  readonly wrong: string;
}

export const WRONG_CHOICES: readonly WrongChoice[] = [
  // 3.1, 3.2
  {
    choice: 'only steps are loose',
    file: 'forest',
    right: "node.kind === 'run' || isStep(node)",
    wrong: 'isStep(node)',
  },
  {
    choice: 'each loose step is a root of its own',
    file: 'forest',
    right: 'root ?? (isRunOrStep(node) ? node : undefined)',
    wrong: 'isRunOrStep(node) ? node : undefined',
  },
  {
    choice: 'parents never lead in a circle',
    file: 'forest',
    right: 'cutCircles(nodes.values());',
    wrong: '',
  },
  { choice: 'a tree has six levels', file: 'node-text', right: 'MAX_LEVEL = 12', wrong: 'MAX_LEVEL = 6' },
  // 3.4
  {
    choice: 'data may be parsed and printed again',
    file: '../format/marked-record',
    right: "this.#line.toString('latin1', data.from, data.to)",
    wrong: 'JSON.stringify(valueAt(this.#line, data))',
  },
  {
    choice: 'data of a line that is read in full may be parsed and printed again',
    file: '../format/record-glance',
    right: 'bytesOf(slices[i])',
    wrong: 'bytesOf(JSON.stringify(part.data))',
  },
  {
    choice: 'a record of several parts shows its first',
    file: 'record-text',
    right: 'named ?? (parts.length === 1 ? parts[0] : undefined)',
    wrong: 'named ?? parts[0]',
  },
  {
    choice: 'a block that is not there leaves no part',
    file: 'record-text',
    right: 'return named ?? (parts.length',
    wrong: 'return block !== undefined ? named : (parts.length',
  },
  {
    choice: 'a result without a block is the first part',
    file: 'record-text',
    right: "named ?? parts.find(({ k }) => k === 'result')",
    wrong: 'named ?? parts[0]',
  },
  {
    choice: 'all parts with text are words',
    file: 'record-text',
    right: "k === 'text'",
    wrong: 'true',
  },
  {
    choice: 'parts are joined without a break',
    file: 'record-text',
    right: ".filter((text) => text !== '')\n        .join('\\n')",
    wrong: ".filter((text) => text !== '')\n        .join('')",
  },
  {
    choice: 'a prompt that is a string is words too',
    file: 'record-text',
    right: 'function isQueued({ type, prompt }) {',
    wrong:
      "function isQueued(o) {\n    if (typeof o.prompt === 'string') o.prompt = [{ text: o.prompt }];\n    const { type, prompt } = o;",
  },
  {
    choice: 'queued commands stand in data only',
    file: 'record-text',
    right: 'const object = objectOf(part.text);',
    wrong: 'const object = undefined;',
  },
  {
    choice: 'String.trim is near enough',
    file: 'text-rules',
    right: 'export function trimmed(text) {',
    wrong: 'export function trimmed(text) { return text.trim();',
  },
  {
    choice: 'a text is cut by characters',
    file: '../format/byte-text',
    right: 'while ((bytes.charCodeAt(end) & CONTINUATION_MASK) === CONTINUATION)\n        end--;',
    wrong: 'return bytesOf(textOf(bytes).slice(0, maxBytes));',
  },
  {
    choice: 'a cut may split a character',
    file: '../format/byte-text',
    right: 'while ((bytes.charCodeAt(end) & CONTINUATION_MASK) === CONTINUATION)\n        end--;',
    wrong: '',
  },
  {
    choice: 'a cut of a text as its line spells it may split a character',
    file: '../format/marked-record',
    right: 'while ((line[at] & CONTINUATION_MASK) === CONTINUATION)\n            at--;',
    wrong: ';',
  },
  {
    choice: 'a text that is cut is cut where its spelling is so long',
    file: '../format/marked-record',
    right: 'const end = endOfHead(this.#line, text, maxBytes);',
    wrong: 'const end = Math.min(text.to, text.from + maxBytes);',
  },
  {
    choice: 'a text that is cut ends in dots',
    file: 'step-content',
    right: "rawMember('text', text)",
    wrong: "rawMember('text', text.length > 1900 ? text.slice(0, -1) + '...\"' : text)",
  },
  {
    choice: 'the first record that came back is the result',
    file: 'step-content',
    right: "i < answers.length && text === ''",
    wrong: 'i < 2',
  },
  {
    choice: 'the last record that came back is the result',
    file: 'step-content',
    right: "i < answers.length && text === ''",
    wrong: 'i < answers.length',
  },
  {
    choice: 'an answer without text has no state',
    file: 'step-content',
    right: '({ text, state, bytes } = answer);',
    wrong: "if (answer.text !== '') ({ text, state, bytes } = answer);",
  },
  {
    choice: 'what came back knows best whether it failed',
    file: 'step-content',
    right: 'failed ??= answer.failed',
    wrong: 'failed = answer.failed ?? failed',
  },
  {
    choice: 'any join times a call',
    file: 'step-content',
    right: "attributesOf(node).result_join !== 'exact_unique'",
    wrong: 'false',
  },
  {
    choice: 'milliseconds are rounded',
    file: 'step-content',
    right: '- (to.ns < from.ns ? 1 : 0)',
    wrong: '',
  },
  {
    choice: 'a call shows its first record',
    file: 'forest',
    right: "isStep(node) && node.kind !== 'llm.call'",
    wrong: 'isStep(node)',
  },
  {
    choice: 'usage of nothing is unknown',
    file: 'step-content',
    right: 'if (usage === undefined)',
    wrong: 'if (usage === undefined || usage.in + usage.out === 0)',
  },
  {
    choice: 'a duration of zero was measured',
    file: 'step-content',
    right: ' && durationMs !== 0',
    wrong: '',
  },
  {
    choice: 'a measured turn keeps its text',
    file: 'step-content',
    right: "hidden || this.#duration !== ''",
    wrong: 'hidden',
  },
  {
    choice: 'half a surrogate pair may stay',
    file: 'json-out',
    right: 'text.isWellFormed() ? text : text.toWellFormed()',
    wrong: 'text',
  },
  // 3.5
  {
    choice: 'a talk is labelled by the first external message with words',
    file: 'talks',
    right: 'if (opening?.ref !== undefined) {',
    wrong: 'if (false) {',
  },
  {
    choice: 'lists of tools may label a talk',
    file: 'talks',
    right: "text === '' || trimmed(text).startsWith(TOOL_LIST)",
    wrong: "text === ''",
  },
  {
    choice: 'a system prompt may label a talk',
    file: 'talks',
    right: 'i > chosen || isMachinery(record.flags)',
    wrong: 'i > chosen',
  },
  {
    choice: 'every injection may label a talk',
    file: 'talks',
    right: 'MAX_INJECTIONS = 3',
    wrong: 'MAX_INJECTIONS = 30',
  },
  {
    choice: 'the injection that landed first labels a talk',
    file: 'talks',
    right: 'i > chosen || ',
    wrong: 'chosen < 9 || ',
  },
  {
    choice: 'a talk answers with its first words',
    file: 'talks',
    right: 'this.closing[to] ??= this.closing[from]',
    wrong: 'this.closing[to] = this.closing[from] ?? this.closing[to]',
  },
  {
    choice: 'what a client made up is an answer',
    file: 'talks',
    right: "'agent.output']",
    wrong: "'agent.output', 'message.synthetic']",
  },
  // 3.6
  {
    choice: 'a summary names before a surface',
    file: 'journal-names',
    right: '[surface, summary]',
    wrong: '[summary, surface]',
  },
  {
    choice: 'the last name counts',
    file: 'journal-names',
    right: ' || this.#names.has(record.child)',
    wrong: '',
  },
  {
    choice: 'names keep their white space',
    file: 'journal-names',
    right: 'collapsed(nameIn(object.result))',
    wrong: 'nameIn(object.result)',
  },
  {
    choice: 'a name may be of any length',
    file: 'journal-names',
    right: 'MAX_NAME_BYTES = 160',
    wrong: 'MAX_NAME_BYTES = 1600',
  },
  {
    choice: 'journals know better than labels',
    file: 'streams',
    right: "own === '' ? view.names.of(name) : ''",
    wrong: 'view.names.of(name)',
  },
  // 4.1
  {
    choice: 'times are rounded toward zero',
    file: 'json-out',
    right: 'time?.ms ?? 0',
    wrong: 'Math.trunc((time?.ms ?? 0) + (time?.ns ?? 0) / 1e6)',
  },
  {
    choice: 'the first instant is a time',
    file: 'evidence',
    right: 'if (isNoTime(time))',
    wrong: 'if (false)',
  },
  {
    choice: 'the smallest is looked for from zero on',
    file: 'segments',
    right: '(from === 0 || begin < from)',
    wrong: 'begin < from',
  },
  {
    choice: 'a talk begins with its own record',
    file: 'talks',
    right: 'from[order] = earlierOf(from[i], from[order])',
    wrong: '',
  },
  // 4.2
  {
    choice: 'talks stand as they landed',
    file: 'talks',
    right: 'compareInstants(a.from, b.from) || byPlace',
    wrong: 'byPlace',
  },
  {
    choice: 'milliseconds order talks',
    file: 'talks',
    right: 'compareInstants(a.from, b.from) || byPlace',
    wrong: 'a.from.ms - b.from.ms || byPlace',
  },
  {
    choice: 'untimed talks come first',
    file: 'talks',
    right: 'Number(a.from === undefined) - Number(b.from === undefined)',
    wrong: 'Number(b.from === undefined) - Number(a.from === undefined)',
  },
  // 4.3
  {
    choice: 'children stand as the round has them',
    file: 'forest',
    right: 'if (node.children.length > 1)',
    wrong: 'if (false)',
  },
  {
    choice: 'the main stream stands where it landed',
    file: 'streams',
    right: "role === 'main' ? 0 : 1",
    wrong: "role === 'main' ? 1 : 1",
  },
  {
    choice: 'segments stand by id',
    file: 'segments',
    right: '.sort(byPlace)',
    wrong: '.sort((a, b) => (a.id < b.id ? -1 : 1))',
  },
  // 4.4
  {
    choice: 'relations happened as their files landed',
    file: 'happened-order',
    right: 'earlier(a.latest, b.latest) || a.i - b.i',
    wrong: 'compareRefs(a.item.point.ref, b.item.point.ref)',
  },
  {
    choice: 'relations happened as they are stamped',
    file: 'happened-order',
    right: 'earlier(latest, point) < 0',
    wrong: 'true',
  },
  {
    choice: 'a relation happened at its first evidence as listed',
    file: 'happened-order',
    right: 'other === undefined || compareRefs(point.ref, other.ref) < 0',
    wrong: 'other === undefined',
  },
  {
    choice: 'a relation happened at its earliest evidence of all',
    file: 'happened-order',
    right: 'other === undefined || compareRefs(point.ref, other.ref) < 0',
    wrong: 'other === undefined || earlier(point, other) < 0',
  },
  {
    choice: 'untimed is earliest',
    file: 'happened-order',
    right: 'Number(isNoTime(a.time)) - Number(isNoTime(b.time))',
    wrong: '0',
  },
  {
    choice: 'what was never observed comes first',
    file: 'happened-order',
    right: '[...keyed.map(({ item }) => item), ...unplaced]',
    wrong: '[...unplaced, ...keyed.map(({ item }) => item)]',
  },
  {
    choice: 'out before in',
    file: 'relations',
    right: "direction: 'in', id, rank: 0",
    wrong: "direction: 'in', id, rank: 2",
  },
  {
    choice: 'openings stand by relation',
    file: 'streams',
    right: 'inHappenedOrder(openings)',
    wrong: 'openings',
  },
  {
    choice: 'the first origin is the parent',
    file: 'streams',
    right: 'openedBy.at(-1)',
    wrong: 'openedBy.at(0)',
  },
  {
    choice: 'a talk is in its first window',
    file: 'node-text',
    right: 'windows.at(-1)',
    wrong: 'windows.at(0)',
  },
  {
    choice: 'whatever stands on a request is that call',
    file: 'step-content',
    right: ' && isRequest(node)',
    wrong: '',
  },
  // 4.5
  {
    choice: 'the order of JavaScript is that of ids',
    file: 'document',
    right: 'sortIds([...unresolved.keys()])',
    wrong: '[...unresolved.keys()].sort()',
  },
  {
    choice: 'a map may keep the order it was made in',
    file: 'summary',
    right: '[...counts].sort(([a], [b]) => compareCodePoints(a, b))',
    wrong: '[...counts]',
  },
];
