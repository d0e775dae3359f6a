import type { ReactNode } from "react"

export const Panel = ({ beside, busy = false, children, title }: {
  readonly title: string
  readonly beside?: ReactNode
  readonly busy?: boolean
  readonly children: ReactNode
}) => (
  <section className="panel" aria-label={title} aria-busy={busy}>
    <div className="panel-head">
      <h2>{title}</h2>
      {beside}
    </div>
    <div className="panel-body stack">{children}</div>
  </section>
)
