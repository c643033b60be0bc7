/**
 * Id of the element that holds dropdowns, dialogs and notifications. It is inside <main>, since all content belongs in
 * a landmark.
 */
export const overlaysId = 'overlays';
