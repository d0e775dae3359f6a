import { LogOut, Search } from "lucide-react"
import { Link, useLocation } from "wouter"
import { Icon } from "../Parts/Icon.tsx"
import { Mark } from "../Parts/Mark.tsx"
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
  const areas = servedAreas.filter(({ admin }) => isAdmin || !admin)
  const current = (path: string) => path === "/" ? location === "/" : location.startsWith(path)
  return (
    <nav className="navigation" aria-label="Areas">
      <Link href="/" className="brand" onClick={onNavigate}>
        <Mark />
        {applicationName}
      </Link>
      <ul>
        {areas.map(({ icon, mark: Mark, path, place, title }, index) => (
          <li key={path} className={standsApart(place, areas[index - 1]?.place) ? "starts" : undefined}>
            <Link href={path} aria-current={current(path) ? "page" : undefined} onClick={onNavigate}>
              <Icon of={icon} />
              {title}
              {Mark && <Mark />}
            </Link>
          </li>
        ))}
      </ul>
      <button type="button" className="quiet" onClick={onSearch}>
        <Icon of={Search} />
        Go to… <kbd>Ctrl K</kbd>
      </button>
      <footer>
        <span className="name plain" title={member.email}>{member.email}</span>
        <span>{isAdmin ? "Admin" : "Member"}</span>
        <button type="button" className="quiet" onClick={signOut}>
          <Icon of={LogOut} />
          Sign out
        </button>
      </footer>
    </nav>
  )
}
