import classes from './pieces.module.css';

/** A piece of a text. */
export interface Piece {
  text: string;
  /** It is what was searched for. */
  isMarked: boolean;
}

/** A text of which some pieces are marked. Always text, whatever stands in it. */
export const Pieces = ({ pieces }: { pieces: readonly Piece[] }) =>
  pieces.map(({ text, isMarked }, index) =>
    isMarked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have their order only
      <mark key={index} className={classes.mark}>
        {text}
      </mark>
    ) : (
      text
    ),
  );
