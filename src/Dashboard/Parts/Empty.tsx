import type { ReactNode } from "react"

export const Empty = ({ action, children }: { readonly children: ReactNode; readonly action?: ReactNode }) => (
  <div className="empty">
    <p>{children}</p>
    {action}
  </div>
)
