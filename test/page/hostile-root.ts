/** A root whose every word tries to be a program: what a page must show as the words they are. */

import { aSession } from '../builders.js';
import type { SessionBuilder } from '../session-builder.js';

/** What runs where text is taken for markup, and what ends a script or a comment that text is put into. */
export const HOSTILE = [
  '<script>alert(1)</script>',
  '</script><script>alert(2)</script>',
  '<!-- <script> --> <!--',
  '<img src=x onerror=alert(3)>',
  '"><svg onload=alert(4)>',
  "' onmouseover='alert(5)",
  '</style><style>*{display:none}</style>',
  '[a](javascript:alert(6)) javascript:alert(6)',
  '\u2028\u2029\u202e\0\ufeff{{constructor.constructor("alert(7)")()}}',
] as const;

export const ALL_HOSTILE = HOSTILE.join(' ');

/** Ids that a folder may have as its name. */
export const HOSTILE_IDS = [
  "x' onmouseover='alert(8)",
  '%3Cscript%3Ealert(9)%2e%2e&lt;b&gt;',
  'constructor',
  'a\u2028b#c&d=e',
] as const;

/** Each session says everything, in its title, its texts and its ids. The first holds a line of 2 MB besides. */
export async function hostileRoot(): Promise<string> {
  let root: string | undefined;
  for (const session of HOSTILE_IDS) {
    const told = aSession({ session, ...(root !== undefined && { root }) });
    root = told.root;
    told.main.title(`${HOSTILE[1]} ${session}`).input(ALL_HOSTILE).thinks(ALL_HOSTILE);
    for (const [i, words] of HOSTILE.entries()) hostileTool(told, `${words}${i}`, words);
    told
      .stream('&lt;b&gt;child')
      .input(ALL_HOSTILE)
      .says(ALL_HOSTILE)
      .sidecarOf(`${HOSTILE[0]}0`, HOSTILE[3]);
    if (session === HOSTILE_IDS[0]) told.main.input(`${'long <b>line</b> '.repeat(120_000)}${HOSTILE[1]}`);
    told.main.says(ALL_HOSTILE);
    told.land();
    await told.parse();
  }
  return root!;
}

function hostileTool({ main }: SessionBuilder, id: string, words: string): void {
  main
    .tool(id, words, { command: words, file_path: words, url: 'javascript:alert(10)' })
    .result(id, { text: words });
}
