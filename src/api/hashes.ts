/**
 * Gives the SHA-256 of bytes, or of a text as UTF-8. Cryptography is loaded at the first call, so that the first rows
 * do not wait for it.
 */
export function sha256(data: string | Uint8Array): Buffer {
  return process.getBuiltinModule('node:crypto').hash('sha256', data, 'buffer');
}

/**
 * Gives the address of the account that holds the coins sent over an IBC channel, or over a client since IBC v2 (ibc-go
 * modules/apps/transfer/types/keys.go). `name` is `transfer/channel-0`.
 */
export function escrowAddressBytes(name: string): Uint8Array {
  return sha256(`ics20-1\0${name}`).subarray(0, 20);
}
