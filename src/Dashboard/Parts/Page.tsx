import type { ReactNode } from "react"
import { usePageTitle } from "./PageTitle.ts"

interface Props {
  readonly title: string
  readonly about: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export const Page = ({ about, actions, children, title }: Props) => {
  usePageTitle(title)
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
