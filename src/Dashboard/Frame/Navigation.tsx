import { Link, useLocation } from "wouter"
import { Icon } from "../Parts/Icon.tsx"
import { needsAttention } from "../Parts/Status.tsx"
import { useApprovals, useConnections } from "../Service/Lists.ts"
import { applicationName } from "../Service/ServedPage.ts"
import { useSession } from "../Session/Session.tsx"
import { servedAreas } from "./ServedPages.ts"

const standsApart = (place: number, before: number | undefined) =>
  before !== undefined && Math.floor(place / 10) > Math.floor(before / 10)

export const Navigation = ({ onNavigate, onSearch }: {
  readonly onNavigate?: () => void
  readonly onSearch: () => void
}) => {
  const [location] = useLocation()
  const { isAdmin, member, signOut } = useSession()
  const isFailing = useConnections().data?.some(needsAttention)
  const waiting = useApprovals().data?.filter(({ status }) => status === "pending").length ?? 0
  const areas = servedAreas.filter(({ admin }) => isAdmin || !admin)
  const current = (path: string) => path === "/" ? location === "/" : location.startsWith(path)
  return (
    <nav className="navigation" aria-label="Areas">
      <Link href="/" className="brand" onClick={onNavigate}>{applicationName}</Link>
      <ul>
        {areas.map(({ icon, path, place, title }, index) => (
          <li key={path} className={standsApart(place, areas[index - 1]?.place) ? "starts" : undefined}>
            <Link href={path} aria-current={current(path) ? "page" : undefined} onClick={onNavigate}>
              <Icon name={icon} />
              {title}
              {path === "/connections" && isFailing && (
                <span className="mark" title="One needs attention">
                  <span className="visually-hidden">, one needs attention</span>
                </span>
              )}
              {path === "/approvals" && waiting > 0 && (
                <span className="badge">
                  {waiting}
                  <span className="visually-hidden">waiting</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
      <button type="button" className="quiet" onClick={onSearch}>
        <Icon name="search" />
        Go to… <kbd>Ctrl K</kbd>
      </button>
      <footer>
        <span className="name plain" title={member.email}>{member.email}</span>
        <span>{isAdmin ? "Admin" : "Member"}</span>
        <button type="button" className="quiet" onClick={signOut}>
          <Icon name="signOut" />
          Sign out
        </button>
      </footer>
    </nav>
  )
}
