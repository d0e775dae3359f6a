import { type ReactNode, useEffect } from "react"
import { applicationName } from "../Service/ServedPage.ts"

interface Props {
  readonly title: string
  /** One sentence. */
  readonly about: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export const Page = ({ about, actions, children, title }: Props) => {
  useEffect(() => {
    document.title = `${title} · ${applicationName}`
  }, [title])
  return (
    <>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          <p>{about}</p>
        </div>
        <div className="actions">{actions}</div>
      </header>
      {children}
    </>
  )
}
