/** Where dropdowns, dialogs and notifications are drawn: within <main>, since all content belongs in a landmark. */
export const overlaysId = 'overlays';
