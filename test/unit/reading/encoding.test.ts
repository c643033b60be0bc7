import { describe, expect, test } from 'vitest';
import { parseText, parseWarnings, toBytes } from '../../support/documents.ts';
import { encodeAs, encodeUtf32 } from '../../support/encodings.ts';

/** Two sentences of a shop in a language, with the encodings that its files often have. */
const samples: Record<string, [text: string, encodings: string[]]> = {
  German: [
    'Unser Geschäft ist täglich außer sonntags von neun bis achtzehn Uhr geöffnet. Für Rückfragen stehen wir Ihnen gern zur Verfügung.',
    ['windows-1252', 'macintosh'],
  ],
  French: [
    'Le magasin est ouvert tous les jours de neuf à dix-huit heures, sauf le dimanche. Les réservations sont gratuites jusqu’à la veille.',
    ['windows-1252'],
  ],
  Polish: [
    'Sklep jest otwarty codziennie od dziewiątej do osiemnastej. Proszę dzwonić, jeśli chcą Państwo zamówić wizytę lub zapytać o ceny usług.',
    ['windows-1250', 'iso-8859-2'],
  ],
  Czech: [
    'Obchod je otevřen každý den od devíti do osmnácti hodin. Pokud si chcete objednat schůzku, zavolejte nám prosím nejpozději den předem.',
    ['windows-1250', 'iso-8859-2'],
  ],
  Hungarian: [
    'Üzletünk minden nap kilenctől tizennyolc óráig tart nyitva. Kérjük, hívjon minket, ha időpontot szeretne foglalni, vagy kérdése van az árakról.',
    ['windows-1250', 'iso-8859-2'],
  ],
  Russian: [
    'Магазин открыт ежедневно с девяти до восемнадцати часов. Позвоните нам, если хотите записаться на приём или узнать цены на услуги.',
    ['windows-1251', 'koi8-r', 'iso-8859-5', 'ibm866', 'x-mac-cyrillic'],
  ],
  Bulgarian: [
    'Магазинът е отворен всеки ден от девет до осемнадесет часа. Моля, обадете ни се, ако искате да запазите час или да попитате за цените.',
    ['windows-1251', 'iso-8859-5'],
  ],
  Ukrainian: [
    'Магазин працює щодня з дев’ятої до вісімнадцятої години. Зателефонуйте нам, якщо бажаєте записатися на прийом або дізнатися ціни.',
    ['windows-1251'],
  ],
  Greek: [
    'Το κατάστημα είναι ανοιχτό κάθε μέρα από τις εννέα έως τις έξι. Τηλεφωνήστε μας αν θέλετε να κλείσετε ραντεβού ή να μάθετε τις τιμές.',
    ['windows-1253', 'iso-8859-7'],
  ],
  Turkish: [
    'Mağazamız her gün dokuzdan on sekize kadar açıktır. Randevu almak veya fiyatları öğrenmek için lütfen bizi arayın, teşekkür ederiz.',
    ['windows-1254'],
  ],
  Hebrew: [
    'החנות פתוחה בכל יום מתשע בבוקר עד שש בערב. אנא התקשרו אלינו אם ברצונכם לקבוע פגישה או לשאול על המחירים של השירותים שלנו.',
    ['windows-1255', 'iso-8859-8'],
  ],
  Arabic: [
    'المتجر مفتوح كل يوم من الساعة التاسعة صباحا حتى السادسة مساء. يرجى الاتصال بنا إذا كنت ترغب في حجز موعد أو السؤال عن أسعار الخدمات.',
    ['windows-1256', 'iso-8859-6'],
  ],
  Lithuanian: [
    'Parduotuvė dirba kasdien nuo devintos iki aštuonioliktos valandos. Prašome paskambinti mums, jei norite užsiregistruoti ar sužinoti kainas.',
    ['windows-1257'],
  ],
  Thai: ['ร้านเปิดทุกวันตั้งแต่เก้าโมงเช้าถึงหกโมงเย็น กรุณาโทรหาเราหากคุณต้องการนัดหมายหรือสอบถามราคาของบริการต่างๆ', ['windows-874']],
  Japanese: [
    '当店は毎日午前九時から午後六時まで営業しております。ご予約や料金についてのお問い合わせは、お電話でお願いいたします。',
    ['shift_jis', 'euc-jp'],
  ],
  Korean: [
    '저희 매장은 매일 오전 아홉 시부터 오후 여섯 시까지 영업합니다. 예약이나 요금에 대한 문의는 전화로 해 주시기 바랍니다.',
    ['euc-kr'],
  ],
  'simplified Chinese': [
    '本店每天上午九点至下午六点营业。如果您想预约或者咨询服务价格,请给我们打电话,我们的工作人员会尽快答复您的问题。',
    ['gb18030'],
  ],
  'traditional Chinese': [
    '本店每天上午九點至下午六點營業。如果您想預約或者諮詢服務價格,請給我們打電話,我們的工作人員會盡快答覆您的問題。',
    ['big5'],
  ],
};

const cases = Object.entries(samples).flatMap(([language, [text, encodings]]) =>
  encodings.map((encoding) => ({ language, encoding, text })),
);

describe('text without a declared encoding', () => {
  test.each(cases)('is read in $language from $encoding, with a warning', async ({ text, encoding }) => {
    const bytes = encodeAs(encoding, text);
    expect(await parseText('a.txt', bytes)).toBe(text);
    expect(await parseWarnings('a.txt', bytes)).toEqual([
      { type: 'encoding_guessed', msg: expect.stringContaining('save it as UTF-8') },
    ]);
  });

  test.each(Object.entries(samples))('is read in %s from any Unicode, without a warning', async (_, [text]) => {
    const utf16 = new Uint8Array(Buffer.from(`${text}\n`, 'utf16le'));
    const marked = new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));
    const all = [
      toBytes(text),
      utf16,
      new Uint8Array(Buffer.from(utf16).swap16()),
      marked,
      encodeUtf32(text, true),
      encodeUtf32(text, false),
      encodeUtf32(`\ufeff${text}`, true),
      encodeUtf32(`\ufeff${text}`, false),
    ];
    for (const bytes of all) {
      expect(await parseText('a.txt', bytes)).toBe(text);
      expect(await parseWarnings('a.txt', bytes)).toEqual([]);
    }
  });

  test('is read from ISO-2022-JP', async () => {
    expect(await parseText('a.txt', toBytes('\u001b$BF|K\\8l\u001b(B and English'))).toBe('日本語 and English');
  });

  test('is read from UTF-8 with a few damaged characters, with a warning', async () => {
    const [text] = samples.Russian ?? [''];
    const bytes = Uint8Array.from([...toBytes(text), 0xff, ...toBytes(text)]);
    expect(await parseText('a.txt', bytes)).toBe(`${text}\ufffd${text}`);
    expect(await parseWarnings('a.txt', bytes)).toEqual([
      { type: 'characters_damaged', msg: expect.stringContaining('as utf-8, in which 1 character is damaged') },
    ]);
  });

  test.each([
    ['an odd byte at its end', Buffer.from([...Buffer.from('\ufeffGrüße', 'utf16le'), 0x21])],
    ['half a character', Buffer.from('\ufeffGrüße\ud83d', 'utf16le')],
    ['big-endian half a character', Buffer.from('\ufeffGrüße\ud83d', 'utf16le').swap16()],
  ])('is read from UTF-16 with %s, with a warning', async (_, bytes) => {
    expect(await parseText('a.txt', bytes)).toBe('Grüße\ufffd');
    expect(await parseWarnings('a.txt', bytes)).toEqual([
      { type: 'characters_damaged', msg: expect.stringContaining('1 of the characters') },
    ]);
  });

  test.each(['shift_jis', 'euc-jp', 'euc-kr', 'gb18030', 'big5'])(
    'is read from %s if its last character is cut off, with a warning',
    async (encoding) => {
      const [text = ''] = Object.values(samples).find(([, encodings]) => encodings.includes(encoding)) ?? [];
      const bytes = encodeAs(encoding, text.replace(/.$/, text[0] ?? '')).slice(0, -1);
      expect((await parseText('a.txt', bytes))?.slice(0, -1)).toBe(text.slice(0, -1));
      expect(await parseWarnings('a.txt', bytes)).toMatchObject([{ type: 'characters_damaged' }]);
    },
  );

  test.each([
    ['windows-1252', '10 €'],
    ['windows-1252', 'Señor Muñoz'],
    ['windows-1251', 'Цена'],
    ['windows-1253', 'Τιμές'],
    ['shift_jis', '料金表'],
    ['gb18030', '价格表'],
  ])('is read from %s even if it is short: %s', async (encoding, text) => {
    expect(await parseText('a.txt', encodeAs(encoding, text))).toBe(text);
  });

  test.each([
    ['a.csv', 'имя,город\nАнна,Берн\nБорис,Москва', 'имя | город\nимя: Анна | город: Берн\nимя: Борис | город: Москва'],
    ['a.md', '# Цены на услуги\n\nПриём врача', '# Цены на услуги\n\nПриём врача'],
    ['a.json', '{"название":"Магазин открыт ежедневно"}', 'название: Магазин открыт ежедневно'],
    ['a.html', '<p>Магазин открыт</p><p>ежедневно', 'Магазин открыт\n\nежедневно'],
  ])('is read from every text format: %s', async (name, source, text) => {
    expect(await parseText(name, encodeAs('windows-1251', source))).toBe(text);
  });

  test('is read after a long beginning in ASCII', async () => {
    const [text] = samples.Greek ?? [''];
    const start = 'Only in English.\n'.repeat(20_000);
    expect(await parseText('a.txt', encodeAs('windows-1253', start + text))).toBe(start + text);
  });
});

describe('HTML that declares an encoding', () => {
  test('is read in it, without a warning', async () => {
    const [text] = samples.Russian ?? [''];
    const html = encodeAs(
      'koi8-r',
      `<html><meta http-equiv="Content-Type" content="text/html; charset=KOI8-R"><p>${text}`,
    );
    expect(await parseText('a.html', html)).toBe(text);
    expect(await parseWarnings('a.html', html)).toEqual([]);
  });

  test.each(['utf-8', 'shift_jis', 'nonsense'])('is read in its real one if it declares %s', async (declared) => {
    const [text] = samples.Russian ?? [''];
    const html = encodeAs('windows-1251', `<html><meta charset="${declared}"><p>${text}`);
    expect(await parseText('a.html', html)).toBe(text);
    expect(await parseWarnings('a.html', html)).toMatchObject([{ type: 'encoding_guessed' }]);
  });
});
