/**
 * Makes a corpus for measuring and for tests:
 *
 *     npm run bench:corpus -- big1 --form landed --seed 1 --out FOLDER
 */
import { parseArgs } from 'node:util';
import { FORMS, type Form, makeCorpus } from './make-corpus.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    form: { type: 'string', default: 'landed' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});
const [preset] = positionals;
const form = FORMS.find((known) => known === values.form);
if (preset === undefined || values.out === undefined || form === undefined)
  throw new RangeError(`usage: bench:corpus -- PRESET --form ${FORMS.join('|')} --seed N --out FOLDER`);

for (const { session, shapes } of makeCorpus(preset, form satisfies Form, Number(values.seed), values.out))
  console.log(session, JSON.stringify(shapes));
