import type { MouseEvent } from "react"

/** The index of the bar under the pointer. @param left of the first bar, in pixels */
export const barAt = ({ clientX, currentTarget }: MouseEvent, count: number, left = 0): number => {
  const box = currentTarget.getBoundingClientRect()
  const at = Math.floor((clientX - box.left - left) / Math.max(1, box.width - left) * count)
  return Math.min(count - 1, Math.max(0, at))
}
