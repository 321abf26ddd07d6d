/** What a server is doing, for the page (view spec 7.3). Times are Unix milliseconds; 0 is never, or none. */
export interface Status {
  /** `static`: it only reads. */
  mode: 'watch' | 'once' | 'static';
  adapter?: string;
  source?: string;
  interval_ms?: number;
  last_refresh: number;
  next_refresh: number;
  refreshing: boolean;
  last_error?: string;
  /** Counts of the last pass. */
  landed: number;
  records: number;
  rounds: number;
  took_ms: number;
}

/** The status of a server that only reads. */
export function staticStatus(): Status {
  return {
    ...{ mode: 'static', last_refresh: 0, next_refresh: 0, refreshing: false },
    ...{ landed: 0, records: 0, rounds: 0, took_ms: 0 },
  };
}
