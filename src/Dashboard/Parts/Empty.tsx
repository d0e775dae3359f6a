import type { ReactNode } from "react"

/** One sentence of what will be here, and one action. */
export const Empty = ({ action, children }: { readonly children: ReactNode; readonly action?: ReactNode }) => (
  <div className="empty">
    <p>{children}</p>
    {action}
  </div>
)
