/** Time without a keystroke after which a name counts as complete, in milliseconds. */
export const typingPauseMs = 600;
