const START = Buffer.from("version https://git-lfs.github.com/spec/v1\n");

/** No pointer is longer, by the specification of Git LFS. */
export const MAX_LFS_POINTER_BYTES = 1_023;

/** Git LFS leaves a few lines of text in a file's place: under the name of a picture, no picture. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  return bytes.length <= MAX_LFS_POINTER_BYTES && START.equals(bytes.subarray(0, START.length));
}
