import classes from './highlighted-text.module.css';

/** A part of a text. */
export interface TextPart {
  text: string;
  /** True if it matches the search. */
  isMatch: boolean;
}

/** Text with some parts highlighted. Never rendered as HTML. */
export const HighlightedText = ({ parts }: { parts: readonly TextPart[] }) =>
  parts.map(({ text, isMatch }, index) =>
    isMatch ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no identity but their order
      <mark key={index} className={classes.mark}>
        {text}
      </mark>
    ) : (
      text
    ),
  );
