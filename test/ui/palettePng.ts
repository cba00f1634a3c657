import { constants, crc32, deflateSync, inflateSync } from 'node:zlib';

/** How far apart two colours of a palette are at least: the square of 12 steps in each of three channels. */
const apart = 3 * 12 * 12;

/** Rewrites a PNG of the browser (8 bits, no interlace) with at most 256 colours, the most frequent ones that the eye tells apart. */
export function toPalette(picture: Buffer): Buffer {
  const width = picture.readUInt32BE(16);
  const height = picture.readUInt32BE(20);
  const channels = picture[25] === 6 ? 4 : 3;
  const pixels = unfiltered(inflateSync(dataOf(picture)), height, width * channels, channels);
  const counts = new Map<number, number>();
  const colourAt = (at: number): number =>
    ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0);
  for (let at = 0; at < pixels.length; at += channels) counts.set(colourAt(at), (counts.get(colourAt(at)) ?? 0) + 1);
  const palette = paletteOf([...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour));
  const places = new Map<number, number>();
  const placeOf = (colour: number): number => {
    const known = places.get(colour);
    if (known !== undefined) return known;
    const place = nearest(palette, colour);
    places.set(colour, place);
    return place;
  };
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = placeOf(colourAt((y * width + x) * channels));
  const head = Buffer.from(picture.subarray(16, 29));
  head.set([8, 3, 0, 0, 0], 8);
  const colourBytes = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const parts = [
    chunk('IHDR', head),
    chunk('PLTE', colourBytes),
    chunk('IDAT', deflateSync(rows, { level: 9, strategy: constants.Z_FILTERED })),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([picture.subarray(0, 8), ...parts]);
}

/** The first colours of a list, the most frequent one first, that are not close to one before them. */
function paletteOf(colours: readonly number[]): number[] {
  const palette: number[] = [];
  for (const colour of colours) {
    if (palette.length === 256) break;
    if (palette.every((other) => distance(colour, other) >= apart)) palette.push(colour);
  }
  return palette;
}

function nearest(palette: readonly number[], colour: number): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (const [at, other] of palette.entries()) {
    const far = distance(colour, other);
    if (far < least) [best, least] = [at, far];
  }
  return best;
}

/** The square of how far apart two colours are (0 to 195,075). */
function distance(one: number, other: number): number {
  const parts = [16, 8, 0].map((shift) => ((one >> shift) & 255) - ((other >> shift) & 255));
  return parts.reduce((sum, part) => sum + part * part, 0);
}

function dataOf(picture: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at < picture.length; ) {
    const length = picture.readUInt32BE(at);
    if (picture.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(picture.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return Buffer.concat(parts);
}

/** Undoes the filters of the rows of a PNG (PNG specification, 9.2). */
function unfiltered(data: Buffer, height: number, length: number, step: number): Buffer {
  const out = Buffer.alloc(height * length);
  for (let y = 0; y < height; y++) {
    const kind = data[y * (length + 1)] ?? 0;
    for (let x = 0; x < length; x++) {
      const at = y * length + x;
      const left = x >= step ? (out[at - step] ?? 0) : 0;
      const up = y > 0 ? (out[at - length] ?? 0) : 0;
      const corner = x >= step && y > 0 ? (out[at - length - step] ?? 0) : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][kind] ?? 0;
      out[at] = (data[y * (length + 1) + 1 + x] ?? 0) + guess;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const far = [left, up, corner].map((one) => Math.abs(guess - one));
  const [a = 0, b = 0, c = 0] = far;
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}
