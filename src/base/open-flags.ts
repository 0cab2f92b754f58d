/** Flag `O_PATH` (open(2), Linux): opens a name without opening the file, so that a pipe or device cannot block. */
export const pathOnly = 0o10000000;
