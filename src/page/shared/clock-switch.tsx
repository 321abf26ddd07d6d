import { isUtc, turnClock } from './clock.js';

export function ClockSwitch() {
  return (
    <button
      type="button"
      class="bare"
      aria-label="Times in UTC"
      aria-pressed={isUtc.value}
      title={isUtc.value ? 'Times are in UTC; show those of your zone' : 'Times are of your zone; show UTC'}
      onClick={turnClock}
    >
      UTC
    </button>
  );
}
