// Refreshes the help blocks in docs/cli.md from the built command line. Run it after `npm run build`;
// test/cli/docs.test.ts fails while a block says something else than the command does.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PAGE = new URL('../docs/cli.md', import.meta.url);
const ASZ = fileURLToPath(new URL('../dist/src/cli/asz.js', import.meta.url));
const BLOCK = /<!-- asz (.+) -->\n```text\n[\s\S]*?```/g;

const page = readFileSync(PAGE, 'utf8').replace(BLOCK, (_, words) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [ASZ, ...words.split(' ')], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`asz ${words}: ${stderr}`);
  return `<!-- asz ${words} -->\n\`\`\`text\n${stdout}\`\`\``;
});
writeFileSync(PAGE, page);
