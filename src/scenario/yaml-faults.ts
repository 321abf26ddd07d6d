/** What is wrong with text that is no YAML, and what to do about it: a line for each kind of fault the parser tells. */
import type { YAMLError } from 'yaml';

type Code = YAMLError['code'];

interface Fault {
  /** In the parser's own message: which of several faults of one code it is. */
  readonly told: RegExp;
  readonly words: string;
}

/** One line in our words. The parser's are about its grammar; these are about what somebody wrote. */
export function faultWords({ code, message }: Pick<YAMLError, 'code' | 'message'>): string {
  const faults = FAULTS[code];
  if (typeof faults === 'string') return faults;
  return faults.find(({ told }) => told.test(message))!.words;
}

const INDENT =
  'the line begins at another column than those it belongs to; give it their indent, in spaces, or a dash';
const BRACKET =
  'a bracket or brace that was opened before this is not closed; close it, and indent what is inside';
const COLON = 'a key has no colon behind it; write the colon, a space and the value';
const MACHINERY = 'anchors, tags and directives have no place here; write out plain values';
const HOPELESS = 'it is no YAML that can be read; write it in a plainer way';
const ANY = /(?:)/;

/** Of the parser's fault codes, every one; where one stands for several faults, the last row is for all others. */
const FAULTS: Readonly<Record<Code, string | readonly Fault[]>> = {
  DUPLICATE_KEY: 'the key stands twice in one mapping; keep one of the two',
  TAB_AS_INDENT: 'a tab indents the line; indent with spaces',
  BAD_INDENT: [
    { told: /^Flow /, words: BRACKET },
    { told: ANY, words: INDENT },
  ],
  MISSING_CHAR: [
    { told: /closing/, words: 'a quote that was opened before this is not closed; close it' },
    { told: /^Flow /, words: BRACKET },
    { told: /^Comments/, words: 'a comment stands right behind a value; put a space before the #' },
    { told: /map values/, words: COLON },
    { told: /^Sequence item/, words: INDENT },
    { told: ANY, words: 'a comma, a colon or a space is missing before this; write it' },
  ],
  MULTILINE_IMPLICIT_KEY: COLON,
  BLOCK_AS_IMPLICIT_KEY: [
    { told: /block sequence/, words: INDENT },
    {
      told: ANY,
      words:
        'a text holds a colon and a space, which make it a mapping; quote the text, or begin the mapping on a line of its own',
    },
  ],
  BLOCK_IN_FLOW:
    'between brackets or braces a comma is missing, or a text holds a colon and a space; write the comma, or quote the text',
  BAD_SCALAR_START: 'a text begins with a character that has a meaning in YAML; quote the text',
  BAD_DQ_ESCAPE: 'a backslash begins no escape that YAML has; double it, or use single quotes',
  UNEXPECTED_TOKEN: [
    {
      told: /at node end$/,
      words:
        'something stands behind the end of a value; write the comma that is missing, or quote the whole text',
    },
    { told: /^Unexpected (?:,|empty)/, words: 'a comma has nothing before it; take it away' },
    {
      told: /flow-(?:seq|map)-end/,
      words: 'a bracket or brace is closed that was not opened; take it away, or quote the text',
    },
    { told: /block-seq-ind/, words: 'a list begins on the line of its key; begin it on the next line' },
    { told: ANY, words: 'this cannot stand here; quote it when it belongs to a text' },
  ],
  KEY_OVER_1024_CHARS: 'a key is longer than 1024 characters; shorten it',
  MULTIPLE_DOCS: 'a second document begins; keep one document in a file',
  ALIAS_PROPS: MACHINERY,
  BAD_ALIAS: MACHINERY,
  BAD_COLLECTION_TYPE: MACHINERY,
  BAD_DIRECTIVE: MACHINERY,
  BAD_PROP_ORDER: MACHINERY,
  MULTIPLE_ANCHORS: MACHINERY,
  MULTIPLE_TAGS: MACHINERY,
  TAG_RESOLVE_FAILED: MACHINERY,
  IMPOSSIBLE: HOPELESS,
  NON_STRING_KEY: HOPELESS,
  RESOURCE_EXHAUSTION: HOPELESS,
};
