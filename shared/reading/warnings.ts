/** Kinds of warnings about a file that was read. */
export const warningTypes = [
  'encoding_guessed',
  'characters_damaged',
  'pages_without_text',
  'ocr_uncertain',
  'parts_left_out',
  'names_left_out',
  'words_left_out',
] as const;

/** Something that its owner should know about a file that was read: a stable name, and a message that says what to do. */
export interface Warning {
  type: (typeof warningTypes)[number];
  msg: string;
}
