import { AszError, ConfigError, LockedError } from '../format/errors.js';
import { type PushReport, pushRoot } from '../push/push-root.js';
import { LOCK_MS } from '../push/pusher.js';
import type { CommandContext } from './context.js';
import { clockText, durationText, sizeText } from './print.js';
import { pushSettings, receiverText } from './pushing.js';

/** `asz push`: one pass over the root (export spec 11). */
export async function run(context: CommandContext): Promise<number> {
  const { config, print, warn, signal } = context;
  const { endpoint, logs } = config().export.otlp;
  if (endpoint === '')
    throw new ConfigError(
      "push: set export.otlp.endpoint, the receiver's base URL, for example http://127.0.0.1:12800",
    );
  if (!logs) throw new ConfigError('push: export.otlp.logs is off, and nothing else is sent by this release');
  const settings = pushSettings(config());
  const { root, receiver, identity, maxBytesPerMinute } = settings;
  const agents = `the runtime of each session (${[...identity.agents.values()].join(', ')})`;
  print(`storage root: ${root}`);
  print(`endpoint    : ${receiverText(receiver)}`);
  print(`service     : ${identity.serviceName || agents}`);
  print(`instance    : ${identity.instanceId}`);
  print(`layer       : ${identity.layer}`);
  print(`rate        : ${maxBytesPerMinute > 0 ? `${sizeText(maxBytesPerMinute)} per minute` : 'no limit'}`);
  const began = performance.now();
  let report: PushReport;
  try {
    report = await pushRoot({ ...settings, lockMs: LOCK_MS, signal });
  } catch (cause) {
    throw cause instanceof LockedError ? stillHeld(cause) : cause;
  }
  print(passLine(report, performance.now() - began));
  for (const warning of report.warnings) warn(`  warning: ${warning}`);
  for (const error of report.errors) warn(`  error: ${error}`);
  signal.throwIfAborted();
  checkComplete(report);
  return 0;
}

function passLine(
  { files, bytes, wire, requests, pausedMs, rejected, errors }: PushReport,
  durationMs: number,
): string {
  const sizes = `bytes=${sizeText(bytes)} wire=${sizeText(wire)} requests=${requests}`;
  const counts = `files=${files} ${sizes} paused=${durationText(pausedMs)} rejected=${rejected} errors=${errors.length}`;
  return `[${clockText(new Date())}] ${counts} (${durationText(durationMs)})`;
}

function checkComplete({ errors, deferred }: PushReport): void {
  if (errors.length > 0)
    throw new AszError(
      'PUSH',
      `pass incomplete: ${errors.length} error(s); unsent files are retried on the next pass`,
    );
  if (deferred > 0)
    throw new AszError(
      'PUSH',
      `pass incomplete: ${deferred} round(s) were still being written and were not sent; run it again`,
    );
}

function stillHeld(cause: LockedError): LockedError {
  const waited = durationText(LOCK_MS);
  return new LockedError(
    `another pass over this root held the export state for ${waited}; nothing was sent, run it again`,
    { cause },
  );
}
