/** What tests share to make things. Each thing gets a temporary root of its own, so nothing is shared but words. */
import { SessionBuilder, type SessionOptions } from './session-builder.js';
import { temporaryFolder } from './shared.js';

/**
 * A session to be told and landed in a new storage root, or in `root`.
 *
 *     const session = aSession();
 *     session.main.input('run the build').tool('t1', 'Bash').result('t1').says('done');
 *     session.land();
 */
export function aSession(options: SessionOptions & { readonly root?: string } = {}): SessionBuilder {
  return new SessionBuilder(options.root ?? temporaryFolder(), options);
}

/** A landed session with one exchange: a person's words, a tool, an answer. Six records in one file. */
export function aLandedSession(options: SessionOptions & { readonly root?: string } = {}): SessionBuilder {
  const session = aSession(options);
  session.main
    .title('a small session')
    .input('run the build')
    .thinks()
    .tool('t1', 'Bash', { command: 'make' })
    .result('t1', { text: 'built' })
    .says('It builds.');
  session.land();
  return session;
}
