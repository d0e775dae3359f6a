import {
  ArrowRight,
  Bot,
  Building2,
  Check,
  ChevronDown,
  CircleDashed,
  Copy,
  Database,
  Ellipsis,
  FlaskConical,
  KeyRound,
  LayoutDashboard,
  LogOut,
  type LucideIcon,
  Menu,
  Plug,
  Plus,
  ScrollText,
  Search,
  Settings,
  ShieldCheck,
  TriangleAlert,
  Users,
  Webhook,
  X
} from "lucide-react"

const icons = {
  ok: Check,
  attention: TriangleAlert,
  error: X,
  off: CircleDashed,
  copy: Copy,
  menu: Menu,
  close: X,
  more: Ellipsis,
  next: ArrowRight,
  add: Plus,
  open: ChevronDown,
  search: Search,
  signOut: LogOut,
  overview: LayoutDashboard,
  connections: Plug,
  keys: KeyRound,
  agents: Bot,
  approvals: ShieldCheck,
  logs: ScrollText,
  datasets: Database,
  playground: FlaskConical,
  clients: Building2,
  members: Users,
  webhooks: Webhook,
  settings: Settings
} satisfies Record<string, LucideIcon>

export type IconName = keyof typeof icons

export const Icon = ({ name }: { readonly name: IconName }) => {
  const Drawing = icons[name]
  return <Drawing size={16} strokeWidth={1.5} absoluteStrokeWidth aria-hidden="true" />
}
