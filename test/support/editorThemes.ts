export type Theme = 'light' | 'dark' | 'high contrast';

/** The names of the themes differ between versions of the editor. */
export const themes: Readonly<
  Record<Theme, { readonly oldest: string; readonly newest: string; readonly cssClass: string }>
> = {
  light: { oldest: 'Default Light Modern', newest: 'Light Modern', cssClass: 'vs' },
  dark: { oldest: 'Default Dark Modern', newest: 'Dark Modern', cssClass: 'vs-dark' },
  'high contrast': { oldest: 'Default High Contrast', newest: 'Default High Contrast', cssClass: 'hc-black' },
};
