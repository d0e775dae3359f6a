const parts = 4

/** The end of an axis from 0 to at least `most`, and two to five ticks. Their step is 1, 2 or 5 times a power of ten. */
export const axis = (most: number): { readonly end: number; readonly ticks: ReadonlyArray<number> } => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most) / parts))
  const step = Math.max(1, power * ([1, 2, 5].find((factor) => factor * power * parts >= most) ?? 10))
  const count = Math.max(1, Math.ceil(most / step))
  return { end: count * step, ticks: Array.from({ length: count + 1 }, (_, index) => index * step) }
}
