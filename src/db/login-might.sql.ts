/** Privileges of the service's login that would let it bypass the protection. */

export interface LoginMight {
  login: string;
  superuser: boolean;
  /** Roles that it is or can become and that see past row-level security, or act as the server itself. */
  mighty_roles: string[];
  owns_database: boolean;
  /** The first few of the tables that it owns, or that a role owns which it can become. */
  owned_tables: string[];
  /** Tables from which it may take every row at once, or to which it may add triggers. */
  open_tables: string[];
  may_silence_triggers: boolean;
  /** Which of the roles that the service works as are there, and which it can take. */
  missing_roles: string[];
  barred_roles: string[];
}

/**
 * `session_user` and not `current_user`: whatever role is in force, RESET ROLE leads back to the login, and SET
 * ROLE to every role of which it is a member. Of a superuser only that is of interest. $1 the service's roles.
 */
export const selectLoginMight = `
  with reach as (
    select r.oid, r.rolname, r.rolbypassrls or r.rolreplication as sees_all from pg_roles r
    where pg_has_role(session_user, r.oid, 'MEMBER')
  ), tenant as (
    select c.oid, c.relname, c.relowner from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  )
  select session_user::text as login,
         (select rolsuper from pg_roles where rolname = session_user) as superuser,
         array(select rolname::text from reach
               where sees_all or rolname in ('pg_execute_server_program', 'pg_write_server_files', 'pg_read_server_files')
               order by rolname) as mighty_roles,
         (select pg_has_role(session_user, datdba, 'MEMBER') from pg_database where datname = current_database())
           as owns_database,
         array(select relname::text from tenant where pg_has_role(session_user, relowner, 'MEMBER')
               order by relname limit 3) as owned_tables,
         array(select t.relname::text from tenant t
               where exists (select from reach r where has_table_privilege(r.oid, t.oid, 'TRUNCATE')
                                                    or has_table_privilege(r.oid, t.oid, 'TRIGGER'))
               order by t.relname limit 3) as open_tables,
         exists (select from reach r where has_parameter_privilege(r.oid, 'session_replication_role', 'SET'))
           as may_silence_triggers,
         array(select wanted from unnest($1::text[]) as wanted
               where not exists (select from pg_roles where rolname = wanted)) as missing_roles,
         array(select r.rolname::text from pg_roles r
               where r.rolname = any($1::text[]) and not pg_has_role(session_user, r.oid, 'SET')) as barred_roles`;

/**
 * The service's roles that a login cannot take yet, or has the rights of without taking them: of both at once it would see
 * every workspace. $1 roles, $2 login.
 */
export const selectUngranted = `
  select r.rolname as name from pg_roles r
  where r.rolname = any($1::text[])
    and (not pg_has_role($2::text, r.oid, 'SET')
         or pg_has_role($2::text, r.oid, 'USAGE') and not (select rolsuper from pg_roles where rolname = $2::text))`;

export interface RoleInForce {
  role: string;
  /** Whether the policies of the tables bind it: of an owner, a superuser and whoever has BYPASSRLS they do not. */
  bound: boolean;
  /** Whether it has the rights of the role that sees every workspace. */
  sees_all: boolean;
}

/**
 * Selects the role that statements of a workspace run as; before the first migration there is none. $1 the role
 * that sees every workspace.
 */
export const selectRoleInForce = `
  select current_user::text as role,
         (select coalesce(bool_and(row_security_active(c.oid)), true) from pg_class c
          where c.oid in (to_regclass('public.entity'), to_regclass('public.stock_ledger'))) as bound,
         pg_has_role(current_user, $1, 'USAGE') as sees_all`;

/** $1 name. */
export const selectRoleExists = 'select from pg_roles where rolname = $1';
