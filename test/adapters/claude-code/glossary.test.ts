import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GLOSSARY } from '../../../src/adapters/claude-code/glossary.js';
import { adapterNamed } from '../../../src/adapters/registry.js';

test('the glossary names 39 words and derives 22, sorted, each once', () => {
  const words = GLOSSARY.map(({ unified }) => unified);
  assert.deepEqual(words, [...new Set(words)].sort());
  const derived = GLOSSARY.filter(({ native }) => native === '');
  assert.deepEqual([GLOSSARY.length - derived.length, derived.length], [39, 22]);
  for (const { native, where } of GLOSSARY) assert.equal(native === '', where === '');
});

test('the registry knows the adapter by its name in the configuration', () => {
  assert.equal(adapterNamed('claude-code-local')?.contract, 'claude-code-local/0.1.0');
  assert.equal(adapterNamed('nobody'), undefined);
});
