export interface ReadBytes {
  readonly body: Uint8Array<ArrayBuffer>
  readonly isComplete: boolean
}

export const readUpTo = async (chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<ReadBytes> => {
  const parts: Array<Uint8Array> = []
  let length = 0
  for await (const chunk of chunks) {
    parts.push(chunk.subarray(0, maxBytes - length))
    length += chunk.length
    if (length > maxBytes) break
  }
  return { body: new Uint8Array(Buffer.concat(parts)), isComplete: length <= maxBytes }
}
