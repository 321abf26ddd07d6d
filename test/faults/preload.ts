/**
 * To be loaded before `asz` with `--import`: puts the faults of `$ASZ_TEST_FAULTS`, JSON of `Preloaded`, between it and
 * its files, in every thread. The threads count together.
 */
import { writeFileSync } from 'node:fs';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import { DurableDisk } from './durable-disk.js';
import { type FaultOptions, Faults } from './faults.js';

export interface Preloaded extends Pick<FaultOptions, 'folders' | 'at' | 'fault' | 'seed'> {
  /** The folder whose unsynced writes are kept count of. Only without threads: they do not share it. */
  readonly disk?: string;
  /** Where the number of calls is written at the end. */
  readonly countFile?: string;
}

const COUNTER = 'asz-test-faults';

if (isMainThread) setEnvironmentData(COUNTER, new Int32Array(new SharedArrayBuffer(4)));
const counter = getEnvironmentData(COUNTER) as Int32Array;
const { disk, countFile, ...options } = JSON.parse(process.env.ASZ_TEST_FAULTS!) as Preloaded;
new Faults({ ...options, counter, disk: disk === undefined ? undefined : new DurableDisk(disk) }).install();
if (countFile !== undefined && isMainThread)
  process.on('exit', () => writeFileSync(countFile, String(Atomics.load(counter, 0))));
