/** A word of the document, printed as it is; pointing at it says what it means. */
export function Word({ word, meaning }: { readonly word: string; readonly meaning: string | undefined }) {
  return meaning === undefined ? (
    <span class="word">{word}</span>
  ) : (
    <abbr class="word" title={meaning}>
      {word}
    </abbr>
  );
}
