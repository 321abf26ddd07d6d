import { isUtc, turnClock } from './clock.js';

export function ClockSwitch() {
  const clock = isUtc.value ? 'UTC' : 'local time';
  return (
    <button
      type="button"
      class="bare"
      aria-label={`Times: ${clock}`}
      title={`Times: ${clock}. Point at one for the other.`}
      onClick={turnClock}
    >
      {clock}
    </button>
  );
}
