// The first minute: installs and builds what is missing, then runs the main job on the bundled samples and prints
// what came out. Plain Node, because it runs before anything is installed. It writes to dist/demo alone, which git ignores.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const repository = resolve(import.meta.dirname, '..');
const scene = join(repository, 'dist/demo');
const asz = join(repository, 'dist/src/cli/asz.js');
const samples = join(repository, 'samples/projects');
const conversations = join(scene, 'data/_conversations');

// A reader that went away, as `head` does, ends the demo quietly.
process.stdout.on('error', () => process.exit(0));

needNode(20, 19);
// With --as-built it runs what is there: for the test of this script, which may change nothing under other tests.
if (!process.argv.includes('--as-built')) {
  if (!isInstalled()) {
    say('Installing the packages that package-lock.json names …');
    run(...npm('ci', '--include=dev', '--loglevel=error'));
  }
  say('Building …');
  run([process.execPath, join(repository, 'node_modules/typescript/bin/tsc')], repository);
  run([process.execPath, join(repository, 'scripts/build-page.js')], repository);
}

rmSync(scene, { recursive: true, force: true });
mkdirSync(scene, { recursive: true });
writeFileSync(
  join(scene, 'asz.yaml'),
  `# Written by npm run demo. A path in it is relative to the folder you call asz from.
storage:
  root: ./data
adapters:
  - name: claude-code-local
    source_root: ${JSON.stringify(samples)}
`,
);

heading('1. Collect: copies what the sample agents wrote into a storage root, and assembles it.');
call('collect', '--once');
say('');
say('What was landed, byte for byte and read-only (.sd, Session Data: evidence):');
for (const file of filesOf(scene, '.sd')) say(`  ${file}`);

// The collector has parsed already. Taking its chains away shows the table of a first parse, and that they come back.
rmSync(conversations, { recursive: true });
heading('2. Parse: builds the conversations from the landed files alone (those of step 1 were thrown away).');
call('parse');
say('');
say('What was written (.sf, Session Flow: one round per conversation, chained by digest):');
for (const file of filesOf(scene, '.sf')) say(`  ${file}`);

const [first] = readdirSync(conversations).sort();
heading('3. Conversation: who asked what, what the agents did, and what came back.');
for (const line of LEGEND()) say(line);
say('');
call('conversation', first);

heading('4. Verify: proves that nothing was lost, changed or skipped.');
call('verify');

heading('In a browser: the same, and the proof on its face.');
say(
  `  cd ${relative(process.cwd(), scene) || '.'} && node ${relative(scene, asz)} view     then open the address it prints`,
);

heading('Next: your own Claude Code history. Nothing in it is changed; copies and rounds go to ./data.');
say('  npm install --global .     makes the command asz, a link to this folder');
say('  asz sources                lists what could be collected, and copies nothing');
say('  asz collect --once         collects and assembles it');
say('  asz view                   shows it in a browser, to this machine alone');
say('  asz conversation SESSION   shows one in words; asz verify checks all; asz --help lists the rest');
say('');
say('Without the first line, write node dist/src/cli/asz.js for asz.');
say(
  `What you saw lies in ${relative(process.cwd(), scene) || scene}; another run of the demo starts afresh.`,
);

function LEGEND() {
  return [
    'talk     one exchange: something is asked, and all the work that follows from it',
    'run      one go of an agent within a talk; step: one thing in it, such as an answer or a tool call',
    'stream   what one agent did: main is the conversation itself, each child agent has its own',
    'epoch    what happened between two resets of the context; segment: a window of activity between long pauses',
    'round    what one parse added to a conversation; the conversation is all its rounds, folded',
  ];
}

function call(...words) {
  say(`$ asz ${words.join(' ')}`);
  process.stdout.write(run([process.execPath, asz, ...words], scene));
}

/** Runs to the end and gives what was printed, or ends this script with what went wrong. */
function run([program, ...words], cwd = repository) {
  const shell = process.platform === 'win32' && program === 'npm';
  const stdio = ['ignore', 'pipe', 'pipe'];
  const result = spawnSync(program, words, { cwd, stdio, encoding: 'utf8', shell });
  if (result.error === undefined && result.status === 0) return result.stdout;
  console.error(`${result.stdout ?? ''}${result.stderr ?? ''}`);
  console.error(
    `demo: ${[program, ...words].join(' ')} failed: ${result.error?.message ?? `exit code ${result.status}`}`,
  );
  process.exit(1);
}

/** The npm that started this script, else the one on the path. */
function npm(...words) {
  const { npm_execpath: own } = process.env;
  return [own === undefined ? ['npm', ...words] : [process.execPath, own, ...words]];
}

/** Whether node_modules holds what the lock file names; what only other platforms need may be absent. */
function isInstalled() {
  const installed = join(repository, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return false;
  const wanted = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')).packages;
  const there = JSON.parse(readFileSync(installed, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === '' ||
      optional ||
      (there[path]?.version === version && existsSync(join(repository, path, 'package.json'))),
  );
}

function needNode(major, minor) {
  const [ours, oursMinor] = process.versions.node.split('.').map(Number);
  if (ours > major || (ours === major && oursMinor >= minor)) return;
  console.error(`demo: this is Node ${process.versions.node}; asz needs ${major}.${minor} or later`);
  process.exit(1);
}

function filesOf(folder, ending) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(ending))
    .sort();
}

function heading(text) {
  say(`\n${text}\n${'─'.repeat(Math.min(text.length, 100))}`);
}

function say(text) {
  console.log(text);
}
