/** Actions of planning runs name the projects that they serve, so that a run can be reviewed by project. */
import { Migration } from '@mikro-orm/migrations';

export class ProjectsOfActions extends Migration {
  override name = '20261212_3000_projects_of_actions';

  override up(): void {
    this.addSql('alter table planning_action add column project_ids uuid[]');
    this.addSql(
      `comment on column planning_action.project_ids is 'Projects whose needs it covers, directly or through what is made of it; null: not known.'`,
    );
  }
}
