import { useEffect, useState } from 'preact/hooks';
import { spanText } from '../model/time-text.js';
import { Time } from '../shared/time.js';
import { status } from './server-status.js';

/** What the pipeline beside the server does; nothing for a server that only reads. */
export function RefreshLine() {
  const now = status.value;
  if (now === undefined || now.mode === 'static') return null;
  return (
    <p class="refresh muted">
      {now.refreshing ? 'Collecting…' : <LastRefresh at={now.last_refresh} next={now.next_refresh} />}
      {now.last_error === undefined ? null : (
        <span role="alert" class="badge bad">
          {now.last_error}
        </span>
      )}
    </p>
  );
}

function LastRefresh({ at, next }: { readonly at: number; readonly next: number }) {
  const left = next - useNow();
  return (
    <>
      {at === 0 ? 'Nothing collected yet' : 'Refreshed '}
      {at === 0 ? null : <Time at={at} clock />}
      {next === 0 || left <= 0 ? null : `, again in ${spanText(Math.max(left, 1000))}`}
    </>
  );
}

/** The time of day, each second anew. */
function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
