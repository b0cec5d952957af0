/**
 * BOM lines in units: beside the quantity as it was entered, a link keeps what it is in the base unit of the child. A trigger keeps it, so that
 * no writer can forget.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction } from '../src/db/tenant-table.ts';

/** Names of units by dimension, with how many of the base units of UCUM one is. A test compares them with `src/units`. */
export const knownUnits = `
    C-1.g.m2.s-2: MV=1000000000 V=1000 cV=10 dV=100 hV=100000 kV=1000000 mV=1 nV=1/1000000 uV=1/1000 volt=1000
    C-2.g.m2: H=1000 MH=1000000000 cH=10 dH=100 hH=100000 henry=1000 kH=1000000 mH=1 nH=1/1000000 uH=1/1000
    C-2.g.m2.s-1: MOhm=1000000000 Mohm=1000000000 MΩ=1000000000 Ohm=1000 cOhm=10 dOhm=100 hOhm=100000 kOhm=1000000 kohm=1000000
      kΩ=1000000 mOhm=1 nOhm=1/1000000 ohm=1000 uOhm=1/1000 Ω=1000
    C.s-1: A=1 MA=1000000 amp=1 cA=1/100 dA=1/10 hA=100 kA=1000 mA=1/1000 nA=1/1000000000 uA=1/1000000
    C2.g-1.m-2.s2: F=1/1000 MF=1000 cF=1/100000 dF=1/10000 farad=1/1000 hF=1/10 kF=1 mF=1/1000000 nF=1/1000000000000 uF=1/1000000000
    [pi].rad: deg=1/180 degree=1/180 degrees=1/180
    g: KG=1000 LB=45359237/100000 MG=1/1000 Mg=1000000 OZ=45359237/1600000 [lb_av]=45359237/100000 [oz_av]=45359237/1600000 cg=1/100
      dg=1/10 g=1 gram=1 grams=1 hg=100 kg=1000 kilogram=1000 kilograms=1000 lb=45359237/100000 lbs=45359237/100000 mg=1/1000
      ng=1/1000000000 oz=45359237/1600000 t=1000000 tonne=1000000 tonnes=1000000 ug=1/1000000 µg=1/1000000
    g.m-1.s-2: MPa=1000000000 Pa=1000 [psi]=8896443230521/1290320 bar=100000000 cPa=10 dPa=100 hPa=100000 kPa=1000000 mPa=1
      nPa=1/1000000 psi=8896443230521/1290320 uPa=1/1000
    g.m.s-2: MN=1000000000 N=1000 [lbf_av]=8896443230521/2000000000 cN=10 dN=100 hN=100000 kN=1000000 lbf=8896443230521/2000000000 mN=1
      nN=1/1000000 uN=1/1000
    g.m2.s-2: J=1000 MJ=1000000000 cJ=10 dJ=100 hJ=100000 kJ=1000000 mJ=1 nJ=1/1000000 uJ=1/1000
    g.m2.s-3: MW=1000000000 W=1000 cW=10 dW=100 hW=100000 kW=1000000 mW=1 nW=1/1000000 uW=1/1000 watt=1000
    m: CM=1/100 DM=1/10 FT=381/1250 IN=127/5000 KM=1000 M=1 MM=1/1000 Mm=1000000 YD=1143/1250 [ft_i]=381/1250 [in_i]=127/5000
      [mi_i]=201168/125 [mil_i]=127/5000000 [yd_i]=1143/1250 centimeter=1/100 centimetre=1/100 cm=1/100 dm=1/10 feet=381/1250
      foot=381/1250 ft=381/1250 hm=100 in=127/5000 inch=127/5000 inches=127/5000 kilometer=1000 kilometre=1000 km=1000 m=1 meter=1
      meters=1 metre=1 metres=1 mi=201168/125 mil=127/5000000 mile=201168/125 miles=201168/125 millimeter=1/1000 millimeters=1/1000
      millimetre=1/1000 millimetres=1/1000 mm=1/1000 nm=1/1000000000 thou=127/5000000 um=1/1000000 yard=1143/1250 yards=1143/1250
      yd=1143/1250 µm=1/1000000
    m2: M2=1 [ft_i]2=145161/1562500 [in_i]2=16129/25000000 [yd_i]2=1306449/1562500 cm2=1/10000 cm^2=1/10000 cm²=1/10000 dm2=1/100
      dm^2=1/100 dm²=1/100 km2=1000000 km^2=1000000 km²=1000000 m2=1 m^2=1 mm2=1/1000000 mm^2=1/1000000 mm²=1/1000000 m²=1 sqm=1
      sqmm=1/1000000 um2=1/1000000000000 um^2=1/1000000000000 um²=1/1000000000000
    m3: GAL=473176473/125000000000 L=1/1000 M3=1 ML=1/1000000 Ml=1000 [ft_i]3=55306341/1953125000 [gal_br]=454609/100000000
      [gal_us]=473176473/125000000000 [in_i]3=2048383/125000000000 [qt_us]=473176473/500000000000 cL=1/100000 cbm=1 ccm=1/1000000
      cl=1/100000 cm3=1/1000000 cm^3=1/1000000 cm³=1/1000000 dL=1/10000 dl=1/10000 dm3=1/1000 dm^3=1/1000 dm³=1/1000
      gal=473176473/125000000000 hL=1/10 hl=1/10 kL=1 kl=1 km3=1000000000 km^3=1000000000 km³=1000000000 l=1/1000 liter=1/1000
      liters=1/1000 litre=1/1000 litres=1/1000 ltr=1/1000 m3=1 mL=1/1000000 m^3=1 ml=1/1000000 mm3=1/1000000000 mm^3=1/1000000000
      mm³=1/1000000000 m³=1 nL=1/1000000000000 nl=1/1000000000000 qt=473176473/500000000000 uL=1/1000000000 ul=1/1000000000
      um3=1/1000000000000000000 um^3=1/1000000000000000000 um³=1/1000000000000000000 µL=1/1000000000 µl=1/1000000000
    s: Ms=1000000 cs=1/100 d=86400 day=86400 days=86400 ds=1/10 h=3600 hour=3600 hours=3600 hr=3600 hrs=3600 hs=100 ks=1000 min=60
      minute=60 minutes=60 ms=1/1000 ns=1/1000000000 s=1 sec=1 second=1 seconds=1 us=1/1000000 wk=604800
    s-1: Hz=1 MHz=1000000 cHz=1/100 dHz=1/10 hHz=100 kHz=1000 mHz=1/1000 nHz=1/1000000000 uHz=1/1000000
    {piece}: doz=12 dozen=12 dz=12 ea=1 each=1 gross=144 no=1 nos=1 pair=2 pairs=2 pc=1 pc.=1 pce=1 pcs=1 pcs.=1 piece=1 pieces=1 st=1
      st.=1 stck=1 stk=1 stk.=1 stück=1 unit=1 units=1 {piece}=1`;

interface KnownUnit {
  name: string;
  dimension: string;
  numerator: string;
  denominator: string;
}

export function readKnownUnits(): KnownUnit[] {
  const found: KnownUnit[] = [];
  let dimension = '';
  for (const word of knownUnits.trim().split(/\s+/)) {
    const [name = '', factor] = word.split('=');
    if (factor === undefined) dimension = word.slice(0, -1);
    else {
      const [numerator = '', denominator = '1'] = factor.split('/');
      found.push({ name, dimension, numerator, denominator });
    }
  }
  return found;
}

export class LinkUnits extends Migration {
  override name = '20261202_3010_link_units';

  override up(): void {
    for (const table of ['entity_link', 'entity_revision_link']) {
      this.addSql(`alter table ${table} add column base_quantity numeric(15, 6), add column base_line jsonb`);
      this.addSql(`comment on column ${table}.base_quantity is
        'The quantity in the base unit of the child, rounded up; null where the line has no unit, or one that the child does not know.'`);
      this.addSql(`comment on column ${table}.base_line is
        'The fields of the line with their quantities in the base unit of the child, where there is a base_quantity.'`);
    }
    const values = readKnownUnits().map(
      ({ name, dimension, numerator, denominator }) =>
        `('${name}', '${dimension}', ${numerator}::numeric, ${denominator}::numeric)`,
    );
    this.addSql(`
      create function known_unit(unit text, of_dimension text, out numerator numeric, out denominator numeric)
      language sql immutable parallel safe as $$
        select u.numerator, u.denominator
        from (values ${values.join(', ')}) as u (name, dimension, numerator, denominator)
        where u.dimension = $2 and (u.name = $1 or ($2 = '{piece}' and u.name = lower($1))) limit 1
      $$`);
    this.addSql(`
      create function unit_factor(of_workspace uuid, of_item uuid, said text, out numerator numeric, out denominator numeric)
      language plpgsql stable set search_path = public, pg_temp as $$
      declare base record;
      begin
        select b.unit, b.dimension, b.numerator, b.denominator into base from item_base_unit b
        where b.workspace_id = $1 and b.item_id = $2;
        if said = base.unit then
          numerator := 1; denominator := 1;
          return;
        end if;
        select u.numerator, u.denominator into numerator, denominator from item_unit u
        where u.workspace_id = $1 and u.item_id = $2 and lower(u.unit) = lower(said) limit 1;
        if numerator is null and base.dimension is not null then
          select u.numerator * base.denominator, u.denominator * base.numerator into numerator, denominator
          from known_unit(said, base.dimension) u;
        end if;
        if numerator is null and lower(said) = lower(base.unit) then
          numerator := 1; denominator := 1;
        end if;
      end $$`);
    // Returns a line, or one of several, with its quantities in the base unit; null for an unknown unit, or a quantity that does not fit.
    this.addSql(`
      create function line_in_base_unit(of_workspace uuid, of_item uuid, line jsonb, quantity numeric) returns jsonb
      language plpgsql stable set search_path = public, pg_temp as $$
      declare
        factor record;
        amount numeric;
        loss numeric := (line ->> 'lossFixed')::numeric;
      begin
        if not (line ? 'unit') then return line || jsonb_build_object('quantity', quantity); end if;
        select * into factor from unit_factor(of_workspace, of_item, btrim(line ->> 'unit'));
        if factor.numerator is null then return null; end if;
        amount := div(quantity * 1000000 * factor.numerator + factor.denominator - 1, factor.denominator) / 1000000;
        if amount >= 1000000000 then return null; end if;
        if loss is not null then
          loss := div(loss * 1000000 * factor.numerator + factor.denominator - 1, factor.denominator) / 1000000;
          line := line || jsonb_build_object('lossFixed', trim_scale(loss));
        end if;
        return line || jsonb_build_object('quantity', trim_scale(amount));
      end $$`);
    // A subscription, which applies the rows of a workspace that moves, has no search path. Its links may come before its units: they
    // keep the quantity that they come with. Of several lines, those in an unknown unit count as they are.
    this.addSql(`
      create function keep_base_quantity() returns trigger language plpgsql set search_path = public, pg_temp as $$
      declare converted jsonb;
      begin
        if coalesce(new.line ? 'unit' or new.line ? 'lines', false)
          and not exists (select from item_base_unit where workspace_id = new.workspace_id and item_id = new.child_id)
        then return new; end if;
        new.base_quantity := null;
        new.base_line := null;
        if new.line ? 'lines' then
          select jsonb_build_object('lines', jsonb_agg(
              coalesce(line_in_base_unit(new.workspace_id, new.child_id, p.part, (p.part ->> 'quantity')::numeric), p.part)
              order by p.place)),
            sum((coalesce(line_in_base_unit(new.workspace_id, new.child_id, p.part, (p.part ->> 'quantity')::numeric), p.part)
              ->> 'quantity')::numeric)
          into converted, new.base_quantity
          from jsonb_array_elements(new.line -> 'lines') with ordinality as p (part, place);
          new.base_line := converted;
        elsif new.line ? 'unit' then
          converted := line_in_base_unit(new.workspace_id, new.child_id, new.line, new.quantity);
          new.base_quantity := (converted ->> 'quantity')::numeric;
          new.base_line := converted - 'quantity';
        end if;
        return new;
      end $$`);
    for (const name of ['known_unit', 'unit_factor', 'line_in_base_unit', 'keep_base_quantity'])
      this.addSql(grantFunction(name, 'partbook_app', 'partbook_system'));
    // PostgreSQL checks the condition first: a link without a unit costs nothing.
    for (const [event, of, when] of [
      ['insert', '', `new.line ? 'unit' or new.line ? 'lines'`],
      [
        'update',
        'of quantity, line',
        `new.line ? 'unit' or new.line ? 'lines' or old.base_quantity is not null`,
      ],
    ] as const) {
      this.addSql(`
        create trigger entity_link_base_quantity_${event} before ${event} ${of} on entity_link
        for each row when (${when}) execute function keep_base_quantity()`);
      this.addSql(`alter table entity_link enable always trigger entity_link_base_quantity_${event}`);
    }
  }
}
