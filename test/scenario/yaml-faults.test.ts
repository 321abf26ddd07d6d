/** Text that is no YAML is refused in one line: where, what is wrong, and what to do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROPERTY_NAMES } from '../../src/scenario/check/properties.js';
import { readExpectation } from '../../src/scenario/check/read-expectation.js';
import { readScenario } from '../../src/scenario/read-scenario.js';

/** What somebody writes, where the fault is noticed, and how the line about it begins. */
const faults: ReadonlyArray<readonly [text: string, place: string, words: string]> = [
  ['title: a\ntitle: b', '2:1', 'the key stands twice'],
  ['steps:\n\t- input: a', '2:1', 'a tab indents the line'],
  ['steps:\n  - input: a\n\tcheckpoint: b', '3:1', 'a tab indents the line'],
  ['steps:\n  - input: a\n  title: b', '3:1', 'the line begins at another column'],
  ['steps:\n  - input: a\n   checkpoint: b', '3:1', 'the line begins at another column'],
  ['steps:\n  - input: a\n - input: b', '3:1', 'the line begins at another column'],
  ['steps: [', '1:9', 'a bracket or brace that was opened'],
  ['steps: [{input: a}\ntitle: b', '2:1', 'a bracket or brace that was opened'],
  ['steps:\n- input: a\n  call: {text: b\n- input: c', '4:1', 'a bracket or brace that was opened'],
  ['{title: a', '1:10', 'a bracket or brace that was opened'],
  ['steps: [{input: a}]]', '1:20', 'a bracket or brace is closed that was not opened'],
  ['title: }', '1:8', 'a bracket or brace is closed that was not opened'],
  ['title: "abc', '1:12', 'a quote that was opened'],
  ["title: 'abc", '1:12', 'a quote that was opened'],
  ['title: what: now', '1:8', 'a text holds a colon and a space'],
  ["title: it's: fine", '1:8', 'a text holds a colon and a space'],
  ['steps: [{input: a b: c}]', '1:17', 'between brackets or braces a comma is missing'],
  ['steps: [{input: a} {input: b}]', '1:20', 'something stands behind the end of a value'],
  ['title: "a" b', '1:12', 'something stands behind the end of a value'],
  ['steps: [a,,b]', '1:11', 'a comma has nothing before it'],
  ['title: "x"#c', '1:11', 'a comment stands right behind a value'],
  ['steps\ntitle: a', '1:1', 'a key has no colon behind it'],
  ['title: a\nsteps', '2:1', 'a key has no colon behind it'],
  ['title: @foo', '1:8', 'a text begins with a character that has a meaning in YAML'],
  ['title: `x`', '1:8', 'a text begins with a character that has a meaning in YAML'],
  ['title: "a\\qb"', '1:10', 'a backslash begins no escape'],
  ['title: - a', '1:8', 'a list begins on the line of its key'],
  ['title: |x\n a', '1:9', 'this cannot stand here'],
  [`${'x'.repeat(1100)}: a`, '1:1', 'a key is longer than 1024 characters'],
  ['title: &a &b c', '1:11', 'anchors, tags and directives have no place here'],
  ['title: !a !b c', '1:11', 'anchors, tags and directives have no place here'],
  ['%YAML 9\n---\ntitle: a', '1:7', 'anchors, tags and directives have no place here'],
  ['a: 1\n---\nb: 2', '2:1', 'a second document begins'],
];

for (const [text, place, words] of faults)
  test(`no YAML: ${JSON.stringify(text.slice(0, 60))}`, () => {
    const scenario = refusal(() => readScenario('s.yaml', text));
    assert.ok(scenario.startsWith(`scenario: s.yaml:${place}: ${words}`), scenario);
    assert.match(scenario, /^[^\n]+; [^\n]+$/, 'one line: what is wrong; what to do');
    const whole = readScenario('s.yaml', 'steps: [{input: a}]');
    const expectation = refusal(() => readExpectation('s.yaml', text, whole, PROPERTY_NAMES));
    assert.equal(expectation, scenario);
  });

function refusal(read: () => unknown): string {
  try {
    read();
  } catch (cause) {
    assert.equal((cause as Error).name, 'ScenarioError');
    return (cause as Error).message;
  }
  assert.fail('it was read');
}
