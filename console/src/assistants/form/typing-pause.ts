/** Milliseconds without a key pressed, after which a name is taken to be typed. */
export const typingPause = 600;
