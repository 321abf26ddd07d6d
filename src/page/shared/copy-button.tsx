import { useState } from 'preact/hooks';
import { CheckIcon, CopyIcon, LinkIcon } from './icons.js';

interface CopyButtonProps {
  readonly text: () => string;
  /** What is copied, for those who listen: `Copy the text`. */
  readonly label: string;
  readonly link?: boolean;
}

const SAYS_DONE_MS = 1500;

/** Puts a text into the clipboard, and says so for a moment. */
export function CopyButton({ text, label, link = false }: CopyButtonProps) {
  const [done, setDone] = useState<'no' | 'yes' | 'refused'>('no');
  const Icon = done === 'yes' ? CheckIcon : link ? LinkIcon : CopyIcon;
  async function copy(event: Event) {
    event.stopPropagation();
    try {
      await navigator.clipboard.writeText(text());
      setDone('yes');
    } catch (cause) {
      // A page from a file, or without leave, has no clipboard.
      if (!(cause instanceof DOMException || cause instanceof TypeError)) throw cause;
      setDone('refused');
    }
    setTimeout(() => setDone('no'), SAYS_DONE_MS);
  }
  const words = done === 'yes' ? 'Copied' : done === 'refused' ? 'The browser refuses' : label;
  return (
    <button type="button" class="bare copy" onClick={copy} title={words} aria-label={words}>
      <Icon />
    </button>
  );
}
