import type { ReactNode } from "react"

export const Panel = ({ beside, busy = false, children, isList = false, isReloading = false, title }: {
  readonly title: string
  readonly beside?: ReactNode
  readonly busy?: boolean
  /** A list has its own padding. */
  readonly isList?: boolean
  readonly isReloading?: boolean
  readonly children: ReactNode
}) => (
  <section className={isReloading ? "panel reloading" : "panel"} aria-label={title} aria-busy={busy}>
    <div className="panel-head">
      <h2>{title}</h2>
      {beside}
    </div>
    {isList ? children : <div className="panel-body stack">{children}</div>}
  </section>
)
