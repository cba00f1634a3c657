/** Text of others in a place where `$(name)` would draw an icon. */
export function plain(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}
