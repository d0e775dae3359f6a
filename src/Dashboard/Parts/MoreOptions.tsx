import { type ReactNode, useEffect, useState } from "react"

/** Optional fields, folded. A mistake in one of them unfolds them. */
export const MoreOptions = ({ children, count, isOpen = false }: {
  readonly count: number
  readonly isOpen?: boolean
  readonly children: ReactNode
}) => {
  const [open, setOpen] = useState(isOpen)
  useEffect(() => {
    if (isOpen) setOpen(true)
  }, [isOpen])
  if (count === 0) return null
  return (
    <details className="more" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>More options ({count})</summary>
      <div className="stack">{children}</div>
    </details>
  )
}
