import { termOf } from './words.ts';
const pairs={de:[['Wohnung','Wohnungen'],['Haus','Häuser'],['gekündigt','Kündigung'],['bezahlen','bezahlt'],['Mieter','Mietern'],['Schlüssel','Schlüsseln'],['Kind','Kinder']],fr:[['réservation','réservations'],['annuler','annulée'],['enfant','enfants'],['cheval','chevaux'],['payer','payé']],es:[['habitación','habitaciones'],['pagar','pagado'],['niño','niños'],['reserva','reservas']],it:[['camera','camere'],['bambino','bambini'],['pagare','pagato'],['prenotazione','prenotazioni']]};
const num={de:1,fr:2,es:3,it:4};
for (const [l,ps] of Object.entries(pairs)) for (const s of ['lang','en','trunc5']) { process.env.STEM=s; console.log(l,s,ps.filter(([a,b])=>termOf(a.toLowerCase(),num[l])===termOf(b.toLowerCase(),num[l])).length+'/'+ps.length);}
