// The bytes by which JSON is read.
export const quoteByte = 0x22;
export const commaByte = 0x2c;
export const openBracketByte = 0x5b;
export const backslashByte = 0x5c;
export const closeBracketByte = 0x5d;
export const openBraceByte = 0x7b;
export const closeBraceByte = 0x7d;
